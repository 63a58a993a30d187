import { createHash } from 'node:crypto';
import { documentStyles } from './built.ts';

/** The hash of these styles. The content policy allows them by it. */
export const documentStylesHash = `'sha256-${createHash('sha256').update(documentStyles.text).digest('base64')}'`;
