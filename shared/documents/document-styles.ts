import { createHash } from 'node:crypto';

/** The styles of a document's page. They are part of the page, so it can be saved and printed. */
export const documentStyles = `:root{color-scheme:light dark;--ink:#16191d;--quiet:#5b636e;--rule:#d3d8de;--paper:#fff;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#eceff3;--quiet:#a9b1bc;--rule:#3b424b;--paper:#14171b;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:clamp(1rem,4vw,3rem)}
p,h1,dl,dd,dt,address{margin:0}
.brand{font-weight:700;margin-bottom:1.5rem}
h1{font-size:2rem;line-height:1.2;margin-bottom:1.5rem}
h1 span{white-space:nowrap}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:1.5rem;margin-bottom:2rem}
.parties section{overflow-wrap:anywhere}
h2{font-size:.85rem;font-weight:700;color:var(--quiet);margin:0}
address{font-style:normal}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;align-content:start}
.facts div{display:contents}
.facts dt{color:var(--quiet)}
.facts dd{overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin-bottom:1.5rem}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:start;font-size:.85rem;font-weight:700;color:var(--quiet);padding:.25rem 0}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--rule)}
th{font-size:.85rem;color:var(--quiet)}
th:first-child,td:first-child{min-width:8rem;overflow-wrap:anywhere}
.number{text-align:end;white-space:nowrap}
.number:last-child{padding-inline-end:0}
.label{display:block;font-size:.85rem;color:var(--quiet)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1.5rem 3rem}
.totals div{display:flex;justify-content:space-between;gap:1rem;padding:.25rem 0}
.totals .total{font-size:1.25rem;font-weight:700}
.notes{margin-top:1.5rem;overflow-wrap:anywhere}
a{color:var(--link)}
a:focus-visible{outline:3px solid var(--link);outline-offset:3px}
.download{margin-top:2rem}
@media print{.download{display:none}main{padding:0}}
`;

/** The hash that a content policy names to allow these styles. */
export const documentStylesHash = `'sha256-${createHash('sha256').update(documentStyles).digest('base64')}'`;
