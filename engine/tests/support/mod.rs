//! How many random cases a property is tried on.

use proptest::prelude::ProptestConfig;

/// `usual` cases, for a property whose cases take longer than most. With `PROPTEST_CASES` as many times more or fewer as
/// that is more or fewer than proptest's own 256, so that one variable scales every property alike, and what it may reject.
pub fn cases(usual: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let scaled = u64::from(usual) * u64::from(config.cases) / 256;
    let cases = u32::try_from(scaled).unwrap_or(u32::MAX).max(1);
    ProptestConfig {
        cases,
        max_global_rejects: config.max_global_rejects.max(cases.saturating_mul(4)),
        ..config
    }
}
