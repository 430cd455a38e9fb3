/** Name of a provider or of a maker of models in the reader's language. */
import { nameIn } from '../../src/locales/makers.ts'
import { usePageContext } from './page-context.tsx'

/** @param of the English name */
export const Maker = ({ of: name }: { of: string }) => nameIn(usePageContext().language, name)
