import { edge } from './edge.ts';
import { type PageRequest, requestOf } from './page.ts';
import { type HttpResponse, presentProblem } from './problem.ts';

/** The file to send. Text is sent as it is. Bytes are sent in base64, and the gateway decodes them. */
export interface Download {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface DownloadRoute {
  answer: (request: PageRequest) => Promise<Download>;
  /** The response to an error. By default, every error becomes a problem document. */
  refuse?: (status: number, request: PageRequest) => Download | undefined;
}

interface DownloadResponse extends HttpResponse {
  isBase64Encoded?: boolean;
}

/** Makes a handler for downloads. An error becomes the response of `refuse`, or a problem document. */
export const download = ({ answer, refuse }: DownloadRoute) =>
  edge<DownloadResponse>({
    answer: async (event) => respond(200, await answer(requestOf(event))),
    refuse: (error, event) => {
      const request = requestOf(event);
      const problem = presentProblem(error, request);
      const refusal = refuse?.(problem.statusCode, request);
      return refusal ? respond(problem.statusCode, refusal) : problem;
    },
  });

function respond(statusCode: number, { headers, body }: Download): DownloadResponse {
  if (typeof body === 'string') return { statusCode, headers, body, isBase64Encoded: false };
  return { statusCode, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
