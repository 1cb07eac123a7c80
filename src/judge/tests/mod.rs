//! Tests of the judges.

mod causes;
mod correct;
mod cuts;
mod leaking;
mod schemas;
