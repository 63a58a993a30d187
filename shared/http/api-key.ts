import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { lowestDigits } from '../domain/base62.ts';
import type { Stage } from '../domain/merchant.ts';

const form = /^sk_(test|live)_([A-Za-z0-9]{32})([A-Za-z0-9]{6})$/;

/** A checksum of six characters. With it, a mistyped key is recognized without reading the table. */
const checksum = (text: string): string =>
  lowestDigits(BigInt(crc32(text)), 6)
    .reverse()
    .join('');

/** Makes a key of a stage from 32 random letters and digits: `sk_test_…` or `sk_live_…` with its checksum. */
export const formatApiKey = (stage: Stage, random: string): string =>
  `sk_${stage === 'live' ? 'live' : 'test'}_${random}${checksum(random)}`;

/** The stage of a well-formed key; undefined for other text. */
export function stageOfKey(key: string): Stage | undefined {
  const [, mode, random = '', check] = form.exec(key) ?? [];
  if (mode === undefined || checksum(random) !== check) return undefined;
  return mode === 'live' ? 'live' : 'sandbox';
}

/** Hashes a key. The table stores only hashes of keys. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');
