import { mkdirSync, writeFileSync } from 'node:fs';
import { referenceFiles } from './site.ts';

const docs = new URL('../../docs/', import.meta.url);

/** Runs as `npm run docs`. It writes the reference as Markdown. */
mkdirSync(new URL('reference/', docs), { recursive: true });
for (const [file, text] of Object.entries(referenceFiles())) writeFileSync(new URL(file, docs), text);
