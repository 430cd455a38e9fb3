/** A formula, drawn as MathML by KaTeX, which is loaded when first met; its source until then and where it is wrong. */
import { useEffect, useRef, useState } from 'react'

const LENGTH_MAX = 5000

export function Formula({ tex, source, display = false }: { tex: string; source: string; display?: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  const [drawn, setDrawn] = useState('')
  useEffect(() => {
    if (tex.length > LENGTH_MAX) return
    let current = true
    import('katex')
      .then(({ default: katex }) => {
        if (!current || !place.current) return
        const limits = { maxExpand: 200, maxSize: 20, trust: false, throwOnError: true }
        katex.render(tex, place.current, { displayMode: display, output: 'mathml', strict: false, ...limits })
        setDrawn(tex)
      })
      .catch(() => {})
    return () => {
      current = false
    }
  }, [tex, display])
  const isDrawn = drawn === tex
  return (
    <span className={display ? 'formula display' : 'formula'}>
      <span ref={place} hidden={!isDrawn} />
      {!isDrawn && <code>{source}</code>}
    </span>
  )
}
