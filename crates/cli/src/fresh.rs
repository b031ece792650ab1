/// A seed from the operating system.
pub fn seed() -> u64 {
    u64::from_le_bytes(flagplot_desk::os_random())
}
