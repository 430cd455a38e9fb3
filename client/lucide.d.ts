/** Drawings of lucide, each imported alone: the package types only all of them together. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const drawing: import('lucide').IconNode
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default drawing
}
