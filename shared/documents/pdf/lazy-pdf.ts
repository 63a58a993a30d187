import type { DocumentView } from '../document-view.ts';

/** Renders a PDF; the library behind it is loaded for the first one, so that pages and JSON do not wait for it. */
export async function renderPdfLazily(view: DocumentView): Promise<Buffer> {
  const { renderPdf } = await import('./document-pdf.ts');
  return renderPdf(view);
}
