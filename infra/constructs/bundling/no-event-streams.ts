/**
 * Replaces `@smithy/core/event-streams` in bundles, which saves 16 kB each. No used operation streams events, but
 * S3's client asks for these two functions.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
