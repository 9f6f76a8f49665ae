import { getDocument, GlobalWorkerOptions } from '/pdfjs-dist/build/pdf.min.mjs'

GlobalWorkerOptions.workerSrc = '/pdfjs-dist/build/pdf.worker.min.mjs'
const file = await getDocument({ url: '/bells.pdf' }).promise
const page = await file.getPage(1)
const { items } = await page.getTextContent()
const canvas = document.createElement('canvas')
canvas.width = canvas.height = 100
document.getElementById('app').append(canvas)
await page.render({ canvas, viewport: page.getViewport({ scale: 1 }) }).promise
const pixel = canvas.getContext('2d').getImageData(25, 75, 1, 1)
document.getElementById('seen').textContent = `${items[0].str}, ${[...pixel.data].join()}`
