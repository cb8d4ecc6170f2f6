// Looks of the HTML report. Colours repeat what words and symbols say; both themes keep a contrast of 4.5 to 1 and more.
export const planStyle = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --page: #ffffff; --card: #f6f8fa; --line: #d0d7de;
  --create: #116329; --change: #7d4e00; --delete: #a40e26; --replace: #0550ae; --add: #dafbe1; --cut: #ffebe9; --warn: #fff8c5; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9ea7b3; --page: #0d1117; --card: #161b22;
  --line: #3d444d; --create: #56d364; --change: #e3b341; --delete: #ff8b84; --replace: #79c0ff; --add: #12351f; --cut: #4a1a1d; --warn: #3a2f0b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; line-height: 1.35; margin: 0; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; }
code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
a { color: var(--replace); }
a:focus-visible { outline: 3px solid var(--replace); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.summary { font-size: 1.1rem; font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-left: .4rem solid var(--line); border-radius: .4rem;
  margin: 1rem 0; padding: .75rem 1rem 1rem; }
.create { --mark: var(--create); } .change { --mark: var(--change); } .delete { --mark: var(--delete); }
.replace { --mark: var(--replace); } .blocked { --mark: var(--delete); }
section.create, section.change, section.delete, section.replace, section.blocked { border-left-color: var(--mark); }
.mark { color: var(--mark); font-weight: 700; font-family: ui-monospace, Menlo, Consolas, monospace; }
.part { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .1rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
del, ins { text-decoration: none; padding: 0 .2em; border-radius: .2em; }
dd > del, dd > ins { display: inline-block; max-width: 100%; }
.does { font-weight: 400; }
del { background: var(--cut); } ins { background: var(--add); }
.words del { text-decoration: line-through; } .words ins { text-decoration: underline; }
.diff { list-style: none; margin: 0; padding: 0; }
.diff li { padding-left: 1.4em; text-indent: -1.4em; }
.way-out, .notice { border-left: .25rem solid var(--delete); margin: .5rem 0; padding: .1rem .75rem; }
.remarks { list-style: none; padding: 0; } .remarks li { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .5rem 1rem; }
.remarks .warning { background: var(--warn); } .remarks .error { background: var(--cut); }
ol.steps { padding-left: 2.2rem; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .35rem; } dd > del, dd > ins { display: inline; } body { padding: 1rem .75rem 3rem; } }
@media print { section { break-inside: avoid; } .skip { display: none; } }
`;
