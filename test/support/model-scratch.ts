import { startApi } from './api.ts';
import { createProduct, createSession, fieldGuide, pay } from './shop.ts';
const api = await startApi();
const p = await createProduct(api, { price: { ...fieldGuide.price, price: 100_000 } });
for (const [label, reason] of [['3000 x é', 'é'.repeat(3000)], ['3000 x a', 'a'.repeat(3000)], ['none', null]] as const) {
  const { id } = await pay(await createSession(api, [{ product_id: p, quantity: 1 }]), { expectedTotal: 100_000 });
  let n = 0; let last: any;
  for (;;) { last = await api.call('POST /refunds', { body: { payment_id: id, amount: 1, reason } }); if (last.status !== 200) break; n += 1; if (n === 3000) break; }
  console.log(label, n, last.status, last.body.code);
  const full = await api.call('POST /refunds', { body: { payment_id: id } });
  console.log('  then the rest:', full.status, full.body.code);
}
await api.stop(); process.exit(0);
