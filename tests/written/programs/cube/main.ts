// pixel canvas 60 60 :: 255 0 0
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'

const scene = new THREE.Scene()
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100)
camera.position.z = 3

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
renderer.setPixelRatio(1)
renderer.setSize(120, 120)
document.getElementById('root')!.appendChild(renderer.domElement)

const cube = new THREE.Mesh(new THREE.BoxGeometry(1.5, 1.5, 1.5), new THREE.MeshBasicMaterial({ color: 0xff0000 }))
scene.add(cube)

const controls = new OrbitControls(camera, renderer.domElement)
controls.enableDamping = true

renderer.setAnimationLoop((time) => {
  cube.rotation.y = time / 1000
  controls.update()
  renderer.render(scene, camera)
})
