import { benchQuote } from './quote-bench.ts';

benchQuote();
