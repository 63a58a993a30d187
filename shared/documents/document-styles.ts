import { createHash } from 'node:crypto';
import { documentStyles } from './built.ts';

/** The hash that a content policy names to allow these styles. */
export const documentStylesHash = `'sha256-${createHash('sha256').update(documentStyles.text).digest('base64')}'`;
