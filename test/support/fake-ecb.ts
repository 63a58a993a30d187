import type { ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../infra/local-aws/loopback-server.ts';
import type { DayRates } from '../../shared/domain/money/exchange-rates.ts';

/** The publisher's file of rates for some days, in its own format, with the newest day first. */
export const ratesFile = (...days: Pick<DayRates, 'date' | 'perEuro'>[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
${days.map(dayOf).join('\n')}
\t</Cube>
</gesmes:Envelope>
`;

const dayOf = ({ date, perEuro }: Pick<DayRates, 'date' | 'perEuro'>): string =>
  [
    `\t\t<Cube time='${date}'>`,
    ...Object.entries(perEuro).map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`),
    '\t\t</Cube>',
  ].join('\n');

/** The publisher's answer to a request for a file: a text, or a function that writes the response. */
type FakeAnswer = string | ((response: ServerResponse) => void);

/** A local server that plays the publisher of exchange rates. */
export async function startFakeEcb() {
  const ecb = { daily: '' as FakeAnswer, recent: '' as FakeAnswer, asked: [] as string[] };
  const server = await listenOnLoopback((request, response) => {
    const file = request.url?.split('/').at(-1) ?? '';
    ecb.asked.push(file);
    const answer = file === 'eurofxref-daily.xml' ? ecb.daily : ecb.recent;
    if (typeof answer !== 'string') return answer(response);
    response.setHeader('content-type', 'text/xml').end(answer);
  });
  return Object.assign(ecb, { url: `http://127.0.0.1:${server.port}/stats/eurofxref`, stop: () => server.close() });
}
