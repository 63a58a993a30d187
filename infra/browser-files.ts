import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import { paidCurrencies } from '../shared/domain/money/currency.ts';
import { nameCountries } from '../shared/pages/format.ts';
import { describeFormat } from '../shared/pages/formats/describe-format.ts';
import { type Locale, locales } from '../shared/pages/locale.ts';
import { alsoTaxed, countries } from '../shared/tax/places/countries.ts';

const shared = new URL('../shared/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, shared), 'utf8');
/** The build options for browser files. The target is the oldest supported browsers, which are five years old. */
const smaller = { minify: true, target: 'es2021', charset: 'utf8' } as const;

/** The source code of a module that exports a browser file, as markup for a page or as text. */
const markup = (text: string): string => `html\`${text.trim().replace(/[\\`]|\$\{/g, '\\$&')}\n\``;
const styles = (path: string): string => transformSync(read(path), { ...smaller, loader: 'css' }).code;
/** Styles whose colours stay as they are written. */
const plainStyles = (path: string): string =>
  transformSync(read(path), { ...smaller, minify: false, minifyWhitespace: true, loader: 'css' }).code;
const plainScript = (path: string): string => transformSync(read(path), { ...smaller, loader: 'ts' }).code;
const script = (path: string): string =>
  JSON.stringify(transformSync(read(path), { ...smaller, loader: 'ts', format: 'esm' }).code);

/** A script with the files that it imports, as one function. */
const bundle = (path: string): string => {
  const entryPoints = [fileURLToPath(new URL(path, shared))];
  const { outputFiles } = buildSync({ ...smaller, entryPoints, bundle: true, format: 'iife', write: false });
  return JSON.stringify(outputFiles[0]?.text);
};

/** The texts by language. Characters that an editor does not show are written as escapes. */
const byLanguage = (textOf: (locale: Locale) => string): string =>
  locales
    .map((locale) => `  ${keyOf(locale)}: '${textOf(locale).replace(/[\\']/g, '\\$&').replace(unseen, code)}',\n`)
    .join('');
const keyOf = (locale: Locale): string => (locale.includes('-') ? `'${locale}'` : locale);
const unseen = /[[\p{Z}\p{Cf}]--[ ]]/gv;
const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;

const countriesIn = (locale: Locale): string =>
  nameCountries([...countries, ...alsoTaxed], locale)
    .map(({ code, name }) => `${code}${name}`)
    .join(';');

const note = '// Built by `npm run pages` from the files in `browser/`.\n';

/**
 * The modules that are built from the browser's styles and scripts, so that functions read no files. They also contain
 * results of `Intl` that take long to compute.
 */
export const builtModules = (): Record<string, string> => ({
  'pages/assets/built.ts': `${note}import { html } from '../html.ts';

export const checkoutStyles = ${markup(styles('pages/browser/checkout.css'))};
export const checkoutScript = ${bundle('pages/browser/checkout.ts')};
`,
  'pages/notices/built.ts': `${note}import { html } from '../html.ts';

export const busyStyles = ${markup(plainStyles('pages/browser/busy.css'))};
export const busyScript = ${markup(plainScript('pages/browser/busy.ts'))};
`,
  'dashboard/assets/built.ts': `${note}
export const dashboardStyles = ${JSON.stringify(styles('dashboard/browser/dashboard.css'))};
export const dashboardScriptText = ${script('dashboard/browser/dashboard.ts')};
export const uploadScriptText = ${script('dashboard/browser/upload.ts')};
export const codesScriptText = ${script('dashboard/browser/codes.ts')};
`,
  'pages/formats/built.ts': `${note.replace('from the files in `browser/`', 'from what `Intl` knows')}import type { Locale } from '../locale.ts';

/** How each language writes numbers and money, as JSON. */
export const builtFormats: Readonly<Record<Locale, string>> = {
${byLanguage((locale) => JSON.stringify(describeFormat(locale, paidCurrencies)))}};

/** The countries with known taxes, in the order of each language: code and name, then the next. */
export const builtCountries: Readonly<Record<Locale, string>> = {
${byLanguage(countriesIn)}};
`,
  'documents/built.ts': `${note}import { html } from '../pages/html.ts';

export const documentStyles = ${markup(styles('documents/browser/document.css'))};
`,
});

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(builtModules())) writeFileSync(new URL(path, shared), text);
