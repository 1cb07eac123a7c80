//! Tests of the judges.

mod causes;
mod correct;
mod leaking;
mod schemas;
