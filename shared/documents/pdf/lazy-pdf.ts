import type { DocumentView } from '../document-view.ts';

/** Renders a PDF. Its library is loaded on first use, so that pages and JSON do not wait for it. */
export async function renderPdfLazily(view: DocumentView): Promise<Buffer> {
  const { renderPdf } = await import('./document-pdf.ts');
  return renderPdf(view);
}
