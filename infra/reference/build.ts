import { mkdirSync, writeFileSync } from 'node:fs';
import { referenceFiles, siteModule } from './site.ts';

const root = new URL('../../', import.meta.url);

/** Runs `npm run docs`: writes the reference as Markdown, then all pages as the module that a function serves. */
mkdirSync(new URL('docs/reference/', root), { recursive: true });
for (const [file, text] of Object.entries(referenceFiles())) writeFileSync(new URL(`docs/${file}`, root), text);
writeFileSync(new URL('shared/site/built.ts', root), siteModule());
