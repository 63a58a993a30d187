import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const shared = new URL('../shared/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, shared), 'utf8');
/** What the browsers of buyers understand: those of the last five years. */
const smaller = { minify: true, target: 'es2021', charset: 'utf8' } as const;

/** The module that holds a file of the browser as markup, which goes into a page, or as text. */
const markup = (text: string): string => `html\`${text.trim().replace(/[\\`]|\$\{/g, '\\$&')}\n\``;
const styles = (path: string): string => transformSync(read(path), { ...smaller, loader: 'css' }).code;
const script = (path: string, format?: 'esm'): string =>
  JSON.stringify(transformSync(read(path), { ...smaller, loader: 'ts', ...(format && { format }) }).code);

const note = '// Built by `npm run pages` from the files in `browser/`.\n';

/** Makes modules of the styles and scripts of the browser, minified, so that functions need no files beside them. */
export const builtModules = (): Record<string, string> => ({
  'pages/assets/built.ts': `${note}import { html } from '../html.ts';

export const checkoutStyles = ${markup(styles('pages/browser/checkout.css'))};
export const checkoutScript = ${script('pages/browser/checkout.ts')};
`,
  'dashboard/assets/built.ts': `${note}
export const dashboardStyles = ${JSON.stringify(styles('dashboard/browser/dashboard.css'))};
export const dashboardScriptText = ${script('dashboard/browser/dashboard.ts', 'esm')};
`,
  'documents/built.ts': `${note}import { html } from '../pages/html.ts';

export const documentStyles = ${markup(styles('documents/browser/document.css'))};
`,
});

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(builtModules())) writeFileSync(new URL(path, shared), text);
