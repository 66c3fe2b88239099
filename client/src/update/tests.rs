//! Tables for `update`.
