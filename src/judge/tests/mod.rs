//! Tests of the judges.
