import * as THREE from '/three/build/three.module.min.js'

const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true })
renderer.setSize(64, 64)
document.getElementById('app').append(renderer.domElement)
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 10)
camera.position.z = 2
const scene = new THREE.Scene()
scene.add(new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ color: 0xff0000 })))
renderer.render(scene, camera)
const pixel = new Uint8Array(4)
const gl = renderer.getContext()
gl.readPixels(32, 32, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
document.getElementById('seen').textContent = pixel.join()
