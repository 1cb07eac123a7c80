//! Tests of the prompt room.

mod files;
mod forecast;
mod guard;
mod layout;
mod shipped;
mod template;
mod thinking;
