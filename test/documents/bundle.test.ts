import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../infra/constructs/function-bundles.ts';
import { documentFonts } from '../../infra/endpoints.ts';
import { documentView } from '../../shared/documents/document-view.ts';
import { renderPdf } from '../../shared/documents/pdf/document-pdf.ts';
import { fontFamilies } from '../../shared/documents/pdf/font-families.ts';
import { readPackagedFile } from '../../shared/pages/packaged-file.ts';
import { specimensOfLanguages } from './specimens.ts';

const outputs = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(outputs, { recursive: true }));

describe('a function that draws documents', () => {
  it('draws the same PDFs from its bundle in every language and typeface, with only the files of the bundle', async () => {
    const sources = 'test/documents/fixtures/functions';
    await bundleFunctions({ functions: ['things/draw-documents'], sources, outputs, filesOf: () => documentFonts });
    const cwd = join(outputs, 'things/draw-documents');
    const drawn = (order: string): Buffer[] => {
      const code = `require("./index.js").handler("${order}").then((pdfs) => process.stdout.write(JSON.stringify(pdfs)))`;
      const pdfs = execFileSync(process.execPath, ['-e', code], { cwd, env: {}, maxBuffer: 1e8 }).toString();
      return JSON.parse(pdfs).map((pdf: string) => Buffer.from(pdf, 'base64'));
    };
    const pdfs = drawn('forwards');
    expect(drawn('backwards').map((pdf, index) => pdfs[index]?.equals(pdf))).toEqual(pdfs.map(() => true));
    const drawnHere = await Promise.all(
      specimensOfLanguages.map(({ document, locale }) =>
        renderPdf(documentView(document, { locale, isSandbox: false })),
      ),
    );
    for (const [index, here] of drawnHere.entries()) expect(pdfs[index]?.equals(here)).toBe(true);
    const text = Buffer.concat(drawnHere).toString('latin1').toLowerCase();
    for (const { name } of fontFamilies)
      expect(text).toMatch(new RegExp(`\\+${name.replaceAll('-', '')}(?!arabic|hebrew|thai)`));
    expect(statSync(join(cwd, 'index.js')).size).toBeLessThan(2_000_000);
  });

  it('has every font that it may need in its bundle', () => {
    for (const { name, weights } of fontFamilies) {
      const [license, ranges, files = ''] = documentFonts.filter((pattern) =>
        pattern.startsWith(`@fontsource/${name}/`),
      );
      expect([license, ranges]).toEqual([`@fontsource/${name}/LICENSE`, `@fontsource/${name}/unicode.json`]);
      for (const weight of weights) expect(files).toContain(String(weight));
    }
  });

  it.each(fontFamilies)('bundles the font $name with a licence that has no blanks', ({ name }) => {
    const license = readPackagedFile(`@fontsource/${name}/LICENSE`).toString();
    expect(license).toMatch(/SIL OPEN FONT LICENSE Version 1\.1|Apache License\s+Version 2\.0/);
    expect(license).not.toMatch(
      /^Copyright \(c\) <|<(dates|Copyright Holder|additional Copyright Holder|Reserved Font Name|URL\|email)/m,
    );
  });
});
