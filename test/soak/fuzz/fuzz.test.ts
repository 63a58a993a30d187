import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { campaign } from '../../support/seeded.ts';
import { fuzz } from './fuzz.ts';

describe('random malformed requests', () => {
  it(
    'are answered with errors in the API’s format, and never with 5xx',
    async () => {
      const { faults, lines, reached, statuses } = await fuzz({ count: campaign(20_000, 1_500, 1_400), seed: 7 });
      expect(faults, lines.join('\n')).toEqual([]);
      const routes = endpoints.map(({ method, paths: [path] }) => `${method} ${path}`);
      expect(routes.filter((route) => !(route in reached))).toEqual([]);
      expect(statuses['200']).toBeGreaterThan(100);
    },
    campaign(7_200_000, 180_000),
  );
});
