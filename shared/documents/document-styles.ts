import { createHash } from 'node:crypto';
import { documentStyles } from './built.ts';

/** The hash of the documents' styles. The content policy allows the styles by it. */
export const documentStylesHash = `'sha256-${createHash('sha256').update(documentStyles.text).digest('base64')}'`;
