await esbuild.initialize({ wasmURL: '/esbuild-wasm/esbuild.wasm' })
const { code } = await esbuild.transform('const n: number = 1; export default <b>six</b>', { loader: 'tsx', minify: true })
document.getElementById('seen').textContent = code
