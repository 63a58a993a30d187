import type { Endpoint } from '../../../infra/endpoints.ts';

/** A request as it goes over the wire; the path and the query are encoded, or wrongly so. */
export interface FuzzRequest {
  /** The line of the route table that it was made for. */
  endpoint: Endpoint;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer | undefined;
}

export interface FuzzAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}
