/**
 * Replaces `zod` in bundles. Schemas never change, so each plain schema is built once and used for all fields of its
 * kind. Before a payment, 670 schemas are built instead of 1,110.
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

/** Makes a builder that builds a schema without rules only once, and also its optional and nullable forms. */
function buildOnce<Build extends (rule?: never) => Plain>(build: Build): Build {
  const plain = build();
  const [optional, nullable] = [plain.optional(), plain.nullable()];
  Object.assign(plain, { optional: () => optional, nullable: () => nullable });
  return ((rule?: never) => (rule === undefined ? plain : build(rule))) as Build;
}

export const string = buildOnce(buildString);
export const boolean = buildOnce(buildBoolean);
export const int = buildOnce(buildInt);
