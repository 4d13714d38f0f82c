/** The look of an exported page: for light and dark screens, wide and narrow ones, and paper. */
export const HTML_STYLE = `
:root{color-scheme:light dark;--text:#202124;--page:#fff;--soft:#f4f4f2;--line:#e2e2de;--dim:#696965;--add:#e0f5e4;--cut:#fde6e4;--more:#1a7f37;--less:#b3261e;--accent:#1f5fbf;--comment:#6e7781;--string:#0a6b3d;--number:#a1560a;--word:#7a3ea8;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--text:#e6e6e3;--page:#191918;--soft:#262624;--line:#3a3a37;--dim:#a2a29c;--add:#15341f;--cut:#44201f;--more:#6fd08c;--less:#f2a29b;--accent:#8ab4f8;--comment:#8d8d86;--string:#9ccf9a;--number:#e0a878;--word:#c8a5f0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:2.5rem 1.5rem 4rem;background:var(--page);color:var(--text);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word;-webkit-text-size-adjust:100%}
header{border-bottom:1px solid var(--line);padding-bottom:1rem}
h1,h2,h3,h4,h5,h6{line-height:1.3;margin:1.6em 0 .5em}h1{font-size:1.6rem;margin:0 0 .4rem}h2{font-size:1.3rem}h3{font-size:1.15rem}h4,h5,h6{font-size:1rem}
p{margin:.7em 0;unicode-bidi:plaintext}.typed{white-space:pre-wrap}
a{color:var(--accent)}hr{border:0;border-top:1px solid var(--line);margin:1.8em 0}
blockquote{margin:1em 0;padding:0 0 0 1em;border-left:3px solid var(--line);color:var(--dim)}
ul,ol{padding-left:1.6em;margin:.7em 0}li{margin:.2em 0}.task{list-style:none;margin-left:-1.35em}
.note{color:var(--dim);font-size:.875rem}header .note{margin:0}
.person{margin:2.6rem 0 1.4rem auto;width:fit-content;max-width:88%}
.person>div{background:var(--soft);border-radius:1rem;padding:.35rem 1.1rem}
.person .typed:first-child,.person .typed:last-child{margin:.4em 0}
.when{display:block;text-align:right;margin:.25rem .4rem 0 0;font-size:.75rem;color:var(--dim);text-decoration:none}
.reply{margin:1rem 0}.problem{border-left:3px solid var(--less);padding-left:1rem}
details{margin:.15rem 0}summary{cursor:pointer;border-radius:.4rem;padding:.15rem .4rem;list-style:none;display:flex;gap:.5em;align-items:baseline;color:var(--dim);font-size:.9rem}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:.4em;height:.4em;border:solid currentColor;border-width:0 1.5px 1.5px 0;transform:rotate(-45deg) translateY(-.15em)}
details[open]>summary::before{transform:rotate(45deg) translate(-.1em,-.15em)}
summary:hover{background:var(--soft)}summary>span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
details[open]>summary>span{white-space:normal;overflow-wrap:anywhere}summary b{color:var(--text);font-weight:600}
summary .end{margin-left:auto;flex:none;font-size:.8rem;overflow:visible}
details>div{margin:.2rem 0 .9rem .55rem;padding:.1rem .5rem .1rem 1rem;border-left:2px solid var(--line)}
.calls{margin:.9rem 0;border:1px solid var(--line);border-radius:.6rem;padding:.3rem}
.thoughts>div{color:var(--dim);font-size:.95rem}
.failed .end{color:var(--less)}
ins,.more{color:var(--more);text-decoration:none}del,.less{color:var(--less);text-decoration:none}
.agent{border:1px solid var(--line);border-radius:.6rem;padding:.3rem;margin:1rem 0}.agent>div{border:0;margin:0;padding:0 .6rem}
code,pre{font-family:var(--mono);font-size:.85em}
code{background:var(--soft);border-radius:.3em;padding:.12em .35em;overflow-wrap:anywhere}
pre{background:var(--soft);border-radius:.6rem;padding:.75rem 1rem;margin:.8em 0;overflow:auto;font-size:.8125rem;line-height:1.5;unicode-bidi:plaintext;tab-size:4}
pre code{background:none;padding:0;font-size:inherit;overflow-wrap:normal}
pre[data-language]::before{content:attr(data-language);display:block;margin:-.2rem 0 .4rem;color:var(--dim);font:.75rem system-ui,sans-serif}
details pre{max-height:32rem}
.comment{color:var(--comment)}.string{color:var(--string)}.number{color:var(--number)}.word{color:var(--word)}
.said{white-space:pre-wrap;overflow-wrap:anywhere}
.person pre{background:var(--page)}
.path{margin:.8em 0 -.3em;font:.8125rem var(--mono);overflow-wrap:anywhere}
.diff{padding:.5rem 0}.diff code{display:inline-block;min-width:100%}
.diff ins,.diff del,.diff i,.diff span{display:block;padding:0 1rem;color:inherit;font-style:normal}
.diff ins{background:var(--add)}.diff del{background:var(--cut)}.diff i{color:var(--dim)}
.wide{overflow-x:auto;margin:1em 0}table{border-collapse:collapse;font-size:.9375rem}
td,th{border:1px solid var(--line);padding:.35rem .7rem;text-align:left;vertical-align:top}th{background:var(--soft);font-weight:600}
.right{text-align:right}.center{text-align:center}
img{max-width:100%;border-radius:.6rem;display:block;margin:.6em 0}
footer{margin-top:3.5rem;border-top:1px solid var(--line);padding-top:1rem}
@media(max-width:34rem){body{padding:1.25rem 1rem 3rem}h1{font-size:1.35rem}.person{max-width:96%}details>div{margin-left:.2rem;padding-left:.7rem}}
@media print{body{max-width:none;padding:0;font-size:11pt}pre,details pre{max-height:none;white-space:pre-wrap;overflow:visible}.person,pre,table,img,summary{break-inside:avoid}h2,h3,h4{break-after:avoid}.person>div{border:1px solid var(--line)}}
`;
