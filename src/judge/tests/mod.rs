//! Tests of the judges.

mod advising;
mod branches;
mod causes;
mod correct;
mod cuts;
mod defaulting;
mod leaking;
mod schemas;
mod tracing;
mod watching;
