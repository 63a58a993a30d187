/** The styles of the dashboard: links beside the page, or above it on a phone; light and dark. */
export const dashboardStyles = `:root{
  color-scheme:light dark;
  --brand:#0b5c58;--on-brand:#fff;--tint:#e3f0ee;
  --ground:#f4f4f1;--paper:#fff;--ink:#1a1c1e;--soft:#585d63;--line:#dcdee1;--edge:#82878d;
  --good:#1a6b3c;--good-ground:#e3f3e8;--wait:#7a4d00;--wait-ground:#fff0cf;--fault:#b3261e;--fault-ground:#fdecea;--none-ground:#ebecee;
  --chart:#0b5c58;--chart-soft:#79b8ab;--sandbox:#fff3cd;--sandbox-ink:#5a4300;--ring:#1d5fd1;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;
  line-height:1.5;-webkit-text-size-adjust:100%;text-size-adjust:100%;
}
@media (prefers-color-scheme:dark){:root{
  --brand:#5cc2b3;--on-brand:#06201e;--tint:#17322f;
  --ground:#131517;--paper:#1c1f22;--ink:#eceeef;--soft:#a9afb5;--line:#33383d;--edge:#7b838b;
  --good:#7fd8a0;--good-ground:#15301f;--wait:#f3c96b;--wait-ground:#38290a;--fault:#ff9d94;--fault-ground:#3a1f1d;--none-ground:#2a2e32;
  --chart:#5cc2b3;--chart-soft:#3d8f84;--sandbox:#3a2f0b;--sandbox-ink:#f6dd92;--ring:#8ab6ff;
}}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);overflow-wrap:break-word}
h1,h2,h3,p,ul,ol,dl,dd,fieldset,figure{margin:0;padding:0;border:0}
fieldset{min-width:0}
ul,ol{list-style:none}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;font-weight:650;min-width:0}
h2{font-size:1.0625rem;font-weight:650;line-height:1.3;margin-bottom:.875rem}
h3{font-size:.9375rem;font-weight:650;margin-bottom:.375rem}
a{color:var(--brand);text-underline-offset:.2em}
button,input,select,textarea{font:inherit;color:inherit}
button{cursor:pointer}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
[hidden]{display:none!important}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (scripting:enabled){.unscripted{display:none!important}}
.skip{position:absolute;inset-inline-start:.5rem;top:-4rem;z-index:2;padding:.5rem 1rem;background:var(--paper);border-radius:.5rem}
.skip:focus{top:.5rem}
.sandbox{background:var(--sandbox);color:var(--sandbox-ink);text-align:center;font-size:.875rem;padding:.25rem 1rem}

.house{max-width:80rem;margin:0 auto;padding:0 1rem 3rem}
.side{padding-block:.875rem .5rem}
.merchant{display:flex;align-items:center;gap:.625rem;font-weight:650;min-width:0}
.monogram{display:grid;place-items:center;flex:none;width:2rem;height:2rem;border-radius:.5rem;background:var(--brand);color:var(--on-brand);text-transform:uppercase}
nav ul{display:flex;flex-wrap:wrap;gap:.125rem;margin:.625rem -.5rem .25rem}
nav a{display:block;padding:.25rem .625rem;border-radius:.5rem;color:var(--ink);text-decoration:none;white-space:nowrap}
nav [aria-current]{background:var(--tint);color:var(--brand);font-weight:650}
.session{display:flex;align-items:center;justify-content:space-between;gap:.25rem 1rem;font-size:.875rem;border-bottom:1px solid var(--line);padding-bottom:.375rem;margin-bottom:1rem}
.session .plain{flex:none}
main{min-width:0}
.above{font-size:.9375rem;margin-bottom:.25rem}
.above a{text-decoration:none}
.headline{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem;margin-bottom:1.25rem}
.actions{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
@media (min-width:64rem){
  .house{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:2.5rem;padding-inline:1.5rem}
  .side{position:sticky;top:0;display:flex;flex-direction:column;min-height:calc(100vh - 2rem);align-self:start;padding-block:1.5rem}
  nav{flex:1}
  nav ul{display:block;margin:1.25rem 0 0 -.75rem}
  nav a{padding:.375rem .75rem}
  nav li+li{margin-top:.125rem}
  .session{display:block;border:0}
  .session .plain{margin-top:.25rem;margin-inline-start:-.625rem}
  main{padding-top:1.5rem}
}

.card{background:var(--paper);border:1px solid var(--line);border-radius:.875rem;padding:1.25rem;margin-bottom:1.25rem}
.card>.lead{color:var(--soft);margin:-.5rem 0 1rem;max-width:44rem}
.columns{display:grid;gap:1.25rem;align-items:start}
.columns>*{min-width:0}
.columns .card{margin-bottom:0}
.stack>*+*{margin-top:1.25rem}
@media (min-width:52rem){.columns.two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.columns.main-aside{grid-template-columns:minmax(0,1.65fr) minmax(17rem,1fr)}.sticky{position:sticky;top:1rem}}

.button,button.main{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.375rem 1.125rem;border:1px solid transparent;border-radius:.625rem;background:var(--brand);color:var(--on-brand);font-weight:650;text-decoration:none}
.button.second,button.second{display:inline-flex;align-items:center;justify-content:center;min-height:2.5rem;padding:.25rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:none;color:var(--ink);font-weight:400;text-decoration:none}
button.danger{border-color:var(--fault);color:var(--fault)}
button.plain{min-height:2.25rem;padding:.25rem .625rem;border:0;border-radius:.5rem;background:none;color:var(--soft);text-decoration:underline;text-underline-offset:.2em}
button[aria-disabled=true]{opacity:.55;cursor:progress}
@media (hover:hover){.button:hover,button.main:hover{filter:brightness(1.1)}.second:hover,button.plain:hover,nav a:hover{background:var(--tint)}}

.note{border-radius:.625rem;padding:.75rem 1rem;margin-bottom:1.25rem;background:var(--tint)}
.note.done{background:var(--good-ground);color:var(--good);font-weight:650}
.note.wait{background:var(--wait-ground);color:var(--wait)}
.note.fault-note{border:1px solid var(--fault);border-inline-start-width:.3125rem;background:var(--fault-ground)}
.note ul{margin-top:.25rem}
.note li+li{margin-top:.25rem}
.hint{color:var(--soft);font-size:.875rem}
.fault{color:var(--fault);font-size:.875rem;font-weight:650;margin-top:.25rem}
.fault:empty,.hint:empty{display:none}
.card>.hint+.field{margin-top:.875rem}
.soft{color:var(--soft)}
.empty{text-align:center;padding:2.5rem 1rem;max-width:34rem;margin-inline:auto}
.empty h2{margin-bottom:.375rem}
.empty .button{margin-top:1rem}

.badge{display:inline-block;padding:.0625rem .5rem;border-radius:1rem;background:var(--none-ground);font-size:.8125rem;font-weight:650;white-space:nowrap}
.badge.good{background:var(--good-ground);color:var(--good)}
.badge.wait{background:var(--wait-ground);color:var(--wait)}
.badge.bad{background:var(--fault-ground);color:var(--fault)}

.table{overflow-x:auto;margin-inline:-1.25rem;padding-inline:1.25rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th{text-align:start;font-weight:650;color:var(--soft);font-size:.8125rem;white-space:nowrap}
th,td{padding:.625rem 1rem .625rem 0;border-bottom:1px solid var(--line);vertical-align:middle}
tr:has(details[open])>*{vertical-align:top}
th{padding-top:0}
tr>:last-child{padding-inline-end:0}
tbody tr:last-child>*{border-bottom:0}
tfoot td,tfoot th{border-top:1px solid var(--line);border-bottom:0;font-weight:650;color:inherit;font-size:inherit}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
td code{overflow-wrap:anywhere}
td .hint{display:block}
td form{display:inline}
details>summary{cursor:pointer;min-height:2rem;padding-block:.25rem;font-weight:650}
td details>summary{font-weight:400}
td .second,.deliveries .second{white-space:nowrap;min-height:2.25rem;padding-block:.125rem;font-size:.875rem}
.table+details,.table+.guarded{margin-top:.875rem}
.table+.pager+details{margin-top:.875rem}
.thing{display:flex;gap:.75rem;align-items:center;min-width:0}
.thing a{font-weight:650}
.thumb{flex:none;width:2.75rem;height:2.75rem;border-radius:.5rem;object-fit:cover;background:var(--ground)}
.thumb.none{display:grid;place-items:center;color:var(--soft);font-weight:650}
.swatch{width:1rem;height:1rem;border-radius:.25rem;vertical-align:-.15em;margin-inline-end:.375rem}
@media (max-width:39.99rem){
  .table{overflow:visible}
  table.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
  table.rows,table.rows tbody,table.rows tfoot,table.rows tr,table.rows td,table.rows tbody th,table.rows tfoot th{display:block}
  table.rows tr{padding-block:.75rem;border-bottom:1px solid var(--line)}
  table.rows tr:last-child{border-bottom:0;padding-bottom:0}
  table.rows td,table.rows tbody th{border:0;padding:.125rem 0;overflow-wrap:anywhere}
  table.rows td[data-label]{display:flex;justify-content:space-between;gap:1rem;text-align:end}
  table.rows td[data-label]::before{content:attr(data-label);color:var(--soft);font-size:.875rem;text-align:start;flex:none}
  table.rows td.number{flex-wrap:wrap;gap:0 1rem}
  td.number>div{margin-inline-start:auto}
  table.rows td:has(>div:empty){display:none}
  .number{white-space:normal}
}
.pager{display:flex;justify-content:space-between;gap:1rem;margin-top:1rem}

.filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9rem),1fr));gap:.75rem;align-items:end;margin-bottom:1rem}
.filters .field{margin:0}
.filters .actions{padding-bottom:.125rem}
.headline .tabs{margin:0}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem;margin-bottom:1rem}
.tabs a{padding:.25rem .75rem;border-radius:.5rem;color:var(--soft);text-decoration:none}
.tabs [aria-current]{background:var(--tint);color:var(--brand);font-weight:650}

.field{margin-bottom:1rem}
.field,.pair,.choices{max-width:46rem}
.card>.field:last-child,fieldset>.field:last-child,fieldset>.choices:last-child,fieldset>.pair:last-child,fieldset>.check:last-child,.copy-card .field{margin-bottom:0}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:0 .875rem}
label,legend{display:block;font-size:.9375rem;font-weight:650;margin-bottom:.25rem;padding:0}
input,select,textarea{width:100%;min-height:2.75rem;padding:.4375rem .75rem;border:1px solid var(--edge);border-radius:.625rem;background-color:var(--paper)}
textarea{min-height:6.5rem;resize:vertical;line-height:1.45}
select{appearance:none;padding-inline-end:2.25rem;background-image:linear-gradient(45deg,transparent 50%,var(--soft) 50%),linear-gradient(135deg,var(--soft) 50%,transparent 50%);background-size:.375rem .375rem;background-position:right 1.1rem center,right .775rem center;background-repeat:no-repeat;text-overflow:ellipsis}
input[type=file]{padding:.375rem;min-height:0}
input[type=file]::file-selector-button{min-height:2rem;margin-inline-end:.75rem;padding:.25rem .75rem;border:1px solid var(--edge);border-radius:.4375rem;background:none;color:inherit;font:inherit}
input[type=color]{padding:.25rem;width:4.5rem}
[aria-invalid=true]{border-color:var(--fault);box-shadow:inset 0 0 0 1px var(--fault)}
.field .hint{margin-top:.25rem}
.check{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .75rem;align-items:start;margin-bottom:1rem}
.check input{width:1.5rem;height:1.5rem;min-height:0;margin:0;accent-color:var(--brand)}
.check label{margin:0}
.check .hint{grid-column:2}
.field .check{margin:.75rem 0 0}
fieldset+.check{margin-top:1rem}
.choices{display:grid;gap:.5rem;margin-bottom:1rem}
.choice{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .75rem;padding:.75rem;border:1px solid var(--line);border-radius:.625rem;font-weight:400;margin:0;cursor:pointer}
.choice:has(:checked){border-color:var(--brand);background:var(--tint)}
.choice:has(:focus-visible){outline:3px solid var(--ring);outline-offset:2px}
.choice input{width:1.25rem;height:1.25rem;min-height:0;margin:.125rem 0 0;accent-color:var(--brand)}
.choice input:focus-visible{outline:0}
.choice strong{font-weight:650}
.choice .hint{grid-column:2}
.states{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin-bottom:1rem}
.submit+.hint{margin-top:.75rem}
.columns+.hint,form+.card{margin-top:1.25rem}
.submit{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-top:1.25rem}
legend+.hint{margin-bottom:.5rem}
fieldset>.check{margin-bottom:.625rem}
form:has(#pay_what_you_want:not(:checked)) .when-chosen,form:has(#pay_what_you_want:checked) .when-fixed{display:none}
form:has(#scope_items:not(:checked)) .when-items,form:has(#scope_amount:not(:checked)) .when-amount,form:not(:has(#scope_items:checked,#scope_amount:checked)) .when-amounts{display:none}
form:has(#has_color:not(:checked)) .when-coloured,form:has(#refunds_limited:not(:checked)) .when-limited{display:none}
.copy{display:flex;gap:.5rem}
.copy input{font-size:.875rem;text-overflow:ellipsis;background-color:var(--ground)}
.copy .second{flex:none;min-height:2.75rem}

details[open]>summary{margin-bottom:.75rem}
.picture{display:block;max-width:100%;max-height:15rem;border-radius:.625rem;background:var(--ground);margin-bottom:.75rem}

.facts{display:grid;gap:.5rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr))}
.facts dt{color:var(--soft);font-size:.8125rem}
.facts dd{overflow-wrap:anywhere}
.sums>div{display:flex;justify-content:space-between;gap:1rem;padding-block:.1875rem}
.sums+.sums{margin-top:.75rem}
.sums dt{overflow-wrap:anywhere}
.sums dd{text-align:end;font-variant-numeric:tabular-nums;flex:none}
.sums .sum{font-weight:650;border-top:1px solid var(--line);margin-top:.375rem;padding-top:.5rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,8.5rem),1fr));gap:1rem;margin-bottom:1.25rem}
.figure{background:var(--paper);border:1px solid var(--line);border-radius:.875rem;padding:1rem 1.25rem}
.figure dt{color:var(--soft);font-size:.875rem}
.figure .big{font-size:clamp(1.125rem,5vw,1.5rem);font-weight:650;letter-spacing:-.015em;font-variant-numeric:tabular-nums;line-height:1.3}
.chart{display:block;width:100%;height:auto;overflow:visible}
.chart text{fill:var(--soft);font-size:11px;font-family:inherit;font-variant-numeric:tabular-nums}
.chart .grid{stroke:var(--line);stroke-width:1}
.chart .bar{fill:var(--chart)}
.chart .bar.tax{fill:var(--chart-soft)}
.chart .mark{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 3}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.875rem;color:var(--soft);margin-top:.5rem}
.legend svg{display:inline-block;width:.75rem;height:.75rem;vertical-align:-.05em;margin-inline-end:.375rem}
.scroll{overflow-x:auto}
.scroll .chart{min-width:32rem;direction:ltr}
.scroll.from-end{direction:rtl}
.timeline{border-inline-start:2px solid var(--line);margin-inline-start:.375rem}
.timeline>li{position:relative;padding:0 0 1.125rem 1.25rem}
.timeline>li:last-child{padding-bottom:0}
.timeline>li::before{content:"";position:absolute;inset-inline-start:-.4375rem;top:.4375rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--paper);border:2px solid var(--edge)}
.timeline>li.good::before{background:var(--good);border-color:var(--good)}
.timeline>li.bad::before{background:var(--fault);border-color:var(--fault)}
.timeline .deliveries{margin-top:.375rem}
.timeline .deliveries>li{display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:center;padding-block:.1875rem;font-size:.9375rem}
[aria-busy=true]{opacity:.55}
.answer{white-space:pre-wrap;overflow-wrap:anywhere;max-height:10rem;overflow:auto;background:var(--ground);border-radius:.5rem;padding:.5rem .75rem;font-size:.8125rem;margin:.25rem 0 0}

.gate{max-width:27rem;margin:12vh auto 3rem;padding-inline:1rem}
.gate .merchant{margin-bottom:1.25rem;font-size:1.0625rem}
.gate h1{margin-bottom:.875rem}
.gate .field .hint{margin-top:.5rem}
@media (forced-colors:active){.button,button.main,.badge,.note{border:1px solid ButtonText}.bar{forced-color-adjust:none}}
@media print{.side,.sandbox,.actions,form{display:none}.house{display:block}}
`;
