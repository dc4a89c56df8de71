//! Techniques and ratings on whole puzzles; one program, so that it is linked once.

#[path = "../../../../tests/corpora.rs"]
mod corpora;

mod gentlest;
mod published;
mod ratings;
mod sound;
