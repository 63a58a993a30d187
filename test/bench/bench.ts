import { benchDeliveries } from './delivery-bench.ts';
import { benchQuote } from './quote-bench.ts';
import { benchTable } from './table-bench.ts';

benchQuote();
await benchTable();
await benchDeliveries();
