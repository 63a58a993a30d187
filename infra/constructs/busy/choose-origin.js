import cf from 'cloudfront';

/**
 * Lets CloudFront show the page for a rush if the API refuses a page that somebody opens. Programs, posted forms and
 * parts of pages keep the answer of the API. CloudFront knows little more than ES 5.1, and calls the function by its name.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const headers = event.request.headers;
  const isOpening = event.request.method === 'GET' || event.request.method === 'HEAD';
  const accepted = headers.accept ? headers.accept.value : '';
  if (isOpening && accepted.includes('text/html') && !headers['hx-request'])
    cf.createRequestOriginGroup({
      originIds: [{ originId: 'api' }, { originId: 'busy' }],
      failoverCriteria: { statusCodes: [429, 502, 503, 504] },
    });
  return event.request;
}
