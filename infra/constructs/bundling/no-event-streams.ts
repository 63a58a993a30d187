/**
 * Replaces `@smithy/core/event-streams` in bundles, which saves 16 kB in each. No operation that we use streams events,
 * but S3's client needs these two functions.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
