//! Who sees whom: lines of sight, light, ranges and arcs between vessels. [1.1, 9.1, C-6, C-7]
