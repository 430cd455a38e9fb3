/** The fonts of the pictures: the same on each machine. The pages themselves are set in the fonts of their readers. */
import type { BrowserContext, Page } from 'playwright'

interface PictureFont {
  /** Name of the file that the pages ask for. */
  name: string
  family: string
  file: string
}

const inPackage = (path: string) => Bun.resolveSync(`@fontsource-variable/${path}`, import.meta.dir)

const fonts: PictureFont[] = [
  { name: 'inter.woff2', family: 'Inter', file: inPackage('inter/files/inter-latin-wght-normal.woff2') },
  {
    name: 'jetbrains-mono.woff2',
    family: 'JetBrains Mono',
    file: inPackage('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  },
]

/** Arrows and signs that a font does not have, and Chinese, come from the machine. */
const rules = `
${fonts.map(({ name, family }) => `@font-face{font-family:"${family}";font-weight:100 900;src:url(/build/${name})}`).join('\n')}
:root{--font-sans:Inter,"Noto Sans CJK SC",sans-serif;--font-mono:"JetBrains Mono","Noto Sans CJK SC",monospace}`

/** Adds the fonts to the style sheet of every page of a context. */
export async function setFonts(context: BrowserContext): Promise<void> {
  await context.route('**/build/*.css', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()) + rules })
  })
  for (const { name, file } of fonts) await context.route(`**/build/${name}`, route => route.fulfill({ path: file }))
}

/** The fonts are there, and not the machine's in their place. */
export async function fontsLoaded(page: Page): Promise<void> {
  const missing = await page.evaluate(
    async families => {
      await Promise.all(families.map(family => document.fonts.load(`16px "${family}"`)))
      return families.filter(family => !document.fonts.check(`16px "${family}"`) || !document.fonts.size)
    },
    fonts.map(({ family }) => family),
  )
  if (missing.length) throw new Error(`${missing.join(' and ')} did not load`)
}
