import { benchColdStart } from './cold-start-bench.ts';
import { benchDeliveries } from './delivery-bench.ts';
import { benchMoney } from './money-bench.ts';
import { benchQuote } from './quote-bench.ts';
import { benchTable } from './table-bench.ts';

benchQuote();
await benchTable();
await benchMoney();
await benchDeliveries();
await benchColdStart();
process.exit(0);
