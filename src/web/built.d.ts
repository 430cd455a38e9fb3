/** Types of the output of `buildClient`, which exists after its first run. */
declare module '*/public/build/index.js' {
  const files: Record<string, string>
  export default files
  export const script: string
  export const style: string
}

declare module '*.svg' {
  const path: string
  export default path
}

declare module '*.gz' {
  const path: string
  export default path
}
