import { createHash } from 'node:crypto';
import { documentStyles } from './built.ts';

/** The hash of these styles, which a content policy uses to allow them. */
export const documentStylesHash = `'sha256-${createHash('sha256').update(documentStyles.text).digest('base64')}'`;
