/**
 * Stands in for `@smithy/core/event-streams` in bundles: no operation of ours streams events, and the real one is 16 kB of
 * every bundle. S3's client asks for these two when it is made.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
