//! Tests of the lab.
