/** Colours of code in a dozen languages. Loaded when first met. */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = { bash, cpp, css, go, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

/** A text, or a part of the code with its kind, such as `keyword`. */
export type HighlightNode = string | { scope?: string; children: HighlightNode[] }

/** @returns undefined for a language that is not known */
export function highlight(text: string, language: string): HighlightNode[] | undefined {
  if (!highlighter.getLanguage(language)) return
  const { _emitter } = highlighter.highlight(text, { language, ignoreIllegals: true })
  return (_emitter as unknown as { rootNode: { children: HighlightNode[] } }).rootNode.children
}
