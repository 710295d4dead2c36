//! The commands, one file each.

pub mod check;
pub mod compare;
pub mod lts;
pub mod measure;
pub mod replay;
pub mod show;
pub mod stores;
