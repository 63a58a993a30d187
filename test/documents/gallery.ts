/** `node test/documents/gallery.ts <folder>`: every specimen as a PDF and a page, and as pictures where poppler is installed, to be looked at. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentPage } from '../../shared/documents/document-page.ts';
import { documentView } from '../../shared/documents/document-view.ts';
import { renderPdf } from '../../shared/documents/pdf/document-pdf.ts';
import { specimens } from './specimens.ts';

const [, , folder = 'cdk.out/documents'] = process.argv;
mkdirSync(folder, { recursive: true });
for (const { name, locale, document } of specimens) {
  const view = documentView(document, { locale, isSandbox: true });
  const file = join(folder, `${name}.pdf`);
  writeFileSync(file, await renderPdf(view));
  writeFileSync(join(folder, `${name}.html`), documentPage(view, { pdf: '#', xml: '#' }));
  spawnSync('pdftoppm', ['-r', '80', '-png', file, join(folder, name)]);
}
console.log(`${specimens.length} documents are in ${folder}.`);
