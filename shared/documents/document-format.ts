/** The formats of a document. The first is the default for programs and mail clients. */
const documentFormats = ['pdf', 'html', 'json', 'xml'] as const;
type DocumentFormat = (typeof documentFormats)[number];

const mediaTypes: Record<DocumentFormat, readonly string[]> = {
  pdf: ['application/pdf', 'application/*', '*/*'],
  html: ['text/html', 'text/*', '*/*'],
  json: ['application/json', 'application/*', '*/*'],
  xml: ['application/xml', 'text/xml'],
};

const isFormat = (text: string | undefined): text is DocumentFormat =>
  (documentFormats as readonly (string | undefined)[]).includes(text);

/**
 * Chooses the format. The format in the address comes first, then the one that `Accept` prefers, then PDF. If two
 * formats are equally preferred, one that is named exactly comes before one that matches a wildcard.
 */
export function chooseFormat(requested: string | undefined, accept = ''): DocumentFormat {
  if (isFormat(requested)) return requested;
  const weights = weightsOf(accept);
  const [best] = documentFormats
    .map((format) => ({ format, ...wishFor(format, weights) }))
    .sort((a, b) => b.weight - a.weight || a.breadth - b.breadth);
  return best && best.weight > 0 ? best.format : 'pdf';
}

/** The weight of a format in `Accept`. The most specific range that matches decides (RFC 9110). */
function wishFor(format: DocumentFormat, weights: ReadonlyMap<string, number>): { weight: number; breadth: number } {
  const breadth = mediaTypes[format].findIndex((type) => weights.has(type));
  return { breadth, weight: weights.get(mediaTypes[format][breadth] ?? '') ?? 0 };
}

function weightsOf(accept: string): Map<string, number> {
  const ranges = accept.slice(0, 500).toLowerCase().split(',');
  return new Map(
    ranges.map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [type, quality ? Number(quality.slice(2)) || 0 : 1] as const;
    }),
  );
}
