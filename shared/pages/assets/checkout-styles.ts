import { html } from '../html.ts';

/** The pages' looks: one column, two colour schemes, no motion unless it is wanted. */
export const checkoutStyles = html`:root{
  color-scheme:light dark;
  --brand:#0b5c58;--on-brand:#fff;
  --ground:#f4f4f1;--paper:#fff;--ink:#1a1c1e;--soft:#585d63;--line:#d8dadd;--edge:#82878d;
  --fault:#b3261e;--fault-ground:#fdf1f0;--sandbox:#fff3cd;--sandbox-ink:#5a4300;--ring:#1d5fd1;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Hiragino Sans","Noto Sans CJK JP","Noto Sans",sans-serif;
  line-height:1.5;-webkit-text-size-adjust:100%;text-size-adjust:100%;
}
@media (prefers-color-scheme:dark){:root{
  --ground:#131517;--paper:#1c1f22;--ink:#eceeef;--soft:#a9afb5;--line:#33383d;--edge:#7b838b;
  --brand:#5cc5bd;--on-brand:#06201e;--fault:#ff9d94;--fault-ground:#3a1f1d;--sandbox:#3a2f0b;--sandbox-ink:#f6dd92;--ring:#8ab6ff;
}}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);overflow-wrap:break-word}
h1,h2,p,ul,dl,dd,fieldset{margin:0;padding:0;border:0}
ul{list-style:none}
p[dir=auto]{text-align:match-parent}
h1{font-size:1.625rem;line-height:1.25;letter-spacing:-.01em}
h2{font-size:1rem;font-weight:650}
a{color:inherit;text-underline-offset:.2em}
button,input,select{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (scripting:enabled){.unscripted{display:none}}

.sandbox{background:var(--sandbox);color:var(--sandbox-ink);text-align:center;font-size:.875rem;padding:.375rem 1rem}
.column,.masthead{max-width:32rem;margin:0 auto;padding-inline:1rem}
.column{padding-bottom:2.5rem}
.masthead{display:flex;align-items:center;gap:.625rem;padding-block:1.25rem;font-weight:600}
.logo{display:block;height:2rem;width:auto;max-width:9rem;object-fit:contain}
.monogram{display:grid;place-items:center;flex:none;width:2rem;height:2rem;border-radius:.5rem;background:var(--brand);color:var(--on-brand)}
.part-of-page{display:grid;grid-template-columns:minmax(0,1fr);gap:.875rem;background:var(--paper);border:1px solid var(--line);border-radius:.875rem;padding:1.25rem;margin-bottom:1rem}

.part-of-page>div:empty{display:none}

.line+.line{margin-top:1.125rem}
.product{display:flex;gap:.875rem;align-items:flex-start}
.picture{flex:none;width:3.5rem;height:3.5rem;border-radius:.5rem;object-fit:cover;background:var(--ground)}
.about{flex:1;min-width:0}
.name{font-weight:550}
.description{color:var(--soft);font-size:.875rem;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.price{flex:none;max-width:50%;text-align:end;font-variant-numeric:tabular-nums}
.each{display:block;color:var(--soft);font-size:.875rem}
.choice{margin-top:.875rem}
.presets{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.625rem}
.preset{min-height:2.5rem;padding:.25rem .875rem;border:1px solid var(--edge);border-radius:1.25rem;background:none;font-variant-numeric:tabular-nums}
.preset[aria-pressed=true]{border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink);font-weight:600}
.amount{display:flex;align-items:center;border:1px solid var(--edge);border-radius:.625rem;background:var(--paper)}
.amount:focus-within{outline:3px solid var(--ring);outline-offset:1px}
.amount input{flex:1;min-width:0;border:0;background:none;outline:0;font-size:1.25rem;font-weight:600;font-variant-numeric:tabular-nums}
.sign{padding-inline:.875rem;color:var(--soft)}
.sign+input{padding-inline-start:0}

.totals{border-top:1px solid var(--line);padding-top:.875rem}
.totals>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.totals dt{flex:1 1 6rem}
.totals dd{margin-inline-start:auto;text-align:end;font-variant-numeric:tabular-nums}
.totals .part{color:var(--soft);font-size:.9375rem;padding-block:.125rem}
.totals .total{font-size:1.375rem;font-weight:650;letter-spacing:-.01em;padding-block:.125rem}
.totals .wording dd{display:none}
form[aria-busy] .totals{opacity:.55}

label,legend{display:block;font-size:.9375rem;font-weight:550;margin-bottom:.25rem;padding:0}
input,select{width:100%;min-height:3rem;padding:.5rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background-color:var(--paper)}
select{appearance:none;padding-inline-end:2.5rem;background-image:linear-gradient(45deg,transparent 50%,var(--soft) 50%),linear-gradient(135deg,var(--soft) 50%,transparent 50%);background-size:.4rem .4rem;background-position:right 1.2rem center,right .85rem center;background-repeat:no-repeat;text-overflow:ellipsis}
input[readonly]{background-color:var(--ground);border-color:var(--line)}
[aria-invalid=true]{border-color:var(--fault);box-shadow:inset 0 0 0 1px var(--fault)}
.amount:has([aria-invalid=true]){border-color:var(--fault);box-shadow:inset 0 0 0 1px var(--fault)}
.amount [aria-invalid=true]{box-shadow:none}
.hint{color:var(--soft);font-size:.875rem;margin-top:.25rem}
.hint:empty,.fault:empty{display:none}
.fault{color:var(--fault);font-size:.875rem;font-weight:550;margin-top:.25rem}
.unscripted .hint{display:block}
.code{font-variant-numeric:tabular-nums}
summary{cursor:pointer;min-height:1.75rem;padding-block:.125rem;font-weight:550;font-size:.9375rem}
details .field,details .list{margin-top:.875rem}
#business[open]{border-inline-start:.1875rem solid var(--line);padding-inline-start:.875rem}
.quiet{min-height:2.5rem;padding:.25rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:none}

.cards .hint{margin:0 0 .625rem}
.cards details{margin-top:.75rem}
.list{border:1px solid var(--line);border-radius:.625rem;overflow:hidden}
.card{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;margin:0;padding:.375rem .875rem;font-weight:400;cursor:pointer}
.card+.card{border-top:1px solid var(--line)}
.card:has(:checked){background:var(--ground)}
.card:has(:focus-visible){outline:3px solid var(--ring);outline-offset:-2px}
.card input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:0;accent-color:var(--brand)}
.card input:focus-visible{outline:0}
.number{flex:none;font-variant-numeric:tabular-nums;font-weight:550}
.pay{display:flex;align-items:center;justify-content:center;width:100%;min-height:3.375rem;padding:.5rem 1.25rem;border:1px solid transparent;border-radius:.75rem;background:var(--brand);color:var(--on-brand);font-size:1.0625rem;font-weight:650;text-align:center;text-decoration:none;font-variant-numeric:tabular-nums}
.pay[aria-disabled]{opacity:.6;cursor:progress}
.leave{text-align:center;margin-top:1.25rem}

.advice{border:1px solid var(--fault);border-inline-start-width:.3125rem;border-radius:.625rem;background:var(--fault-ground);padding:.875rem 1rem;margin-bottom:1rem}
.advice p{font-weight:600}
.advice li{margin-top:.25rem}
.advice li a{display:inline-block;padding-block:.125rem}

.outcome{text-align:center}
.outcome h1{margin-block:.75rem .375rem}
.outcome .part-of-page{text-align:start;margin-top:1.5rem}
.outcome .pay{margin-top:1.25rem}
.seal{display:grid;place-items:center;width:3.5rem;height:3.5rem;margin:1.25rem auto 0;border-radius:50%;background:var(--brand);color:var(--on-brand)}
.waiting{width:3rem;height:3rem;margin:1.5rem auto;border:.3125rem solid var(--line);border-top-color:var(--brand);border-radius:50%}
.facts{font-size:.875rem;color:var(--soft);text-align:start;padding-inline:.25rem}
.facts>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding-block:.125rem}
.facts code{font-size:.8125rem;overflow-wrap:anywhere}
.footer{margin-top:2rem;font-size:.875rem;color:var(--soft);text-align:center}
.languages{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.5rem;margin-top:.75rem}
.languages label{margin:0;font-weight:400;font-size:inherit}
.languages select{width:auto;min-height:2.5rem;padding-block:.25rem}

@media (max-width:22rem){.totals .total{font-size:1.1875rem}.part-of-page{padding:1rem}}
@media (min-width:36rem){.masthead{padding-top:2rem}.part-of-page{padding:1.5rem}}
@media (prefers-reduced-motion:no-preference){
  .waiting{animation:turn 1s linear infinite}
  .pay,.preset,.quiet,.totals{transition:opacity .15s,filter .15s}
  @keyframes turn{to{transform:rotate(1turn)}}
}
@media (hover:hover){.pay:hover{filter:brightness(1.12)}.preset:hover,.quiet:hover{background:var(--ground)}}
@media (forced-colors:active){.pay,.preset,.advice{border-color:ButtonText}}
@media print{.languages,.pay,.sandbox{display:none}}
`;
