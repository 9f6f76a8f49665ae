package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Libraries that draw. The page reports what it finds in the pixels.
var graphics = []App{
	{
		Name:     "d3",
		Packages: []npm.Package{{Name: "d3", Version: "7.9.0", Integrity: "sha512-e1U46jVP+w7Iut8Jt8ri1YsPOvFpg46k+K8TpCb0P+zjCkjkPnV7WzfDJzMHy1LnA+wj5pLT1wjO901gLXeEhA=="}},
		Load:     []string{"d3/dist/d3.min.js"},
		Scripts:  []string{"eval"}, // its csv compiles a function that reads a row
		Own:      map[string]string{"/bells.csv": "name,weight\nemmanuel,13\nben,14\n"},
		See:      []Sight{{"#app svg text:last-of-type", "ben"}, {"#seen", "140"}},
	},
	{
		Name:     "chart",
		Packages: []npm.Package{{Name: "chart.js", Version: "4.5.1", Integrity: "sha512-GIjfiT9dbmHRiYi6Nl2yFCq7kkwdkp1W/lp2J99rX0yo9tgJGn3lKQATztIjb5tVtevcBtIdICNWqlq5+E8/Pw=="}},
		Load:     []string{"chart.js/dist/chart.umd.min.js"},
		See:      []Sight{{"#seen", "255,0,0,255"}},
	},
	{
		Name:     "echarts",
		Packages: []npm.Package{{Name: "echarts", Version: "6.0.0", Integrity: "sha512-Tte/grDQRiETQP4xz3iZWSvoHrkCQtwqd6hs+mifXcjrCuo2iKWbajFObuLJVBlDIJlOzgQPd1hsaKt/3+OMkQ=="}},
		Load:     []string{"echarts/dist/echarts.min.js"},
		See:      []Sight{{"#seen", "255,0,0,255"}},
	},
	{
		Name:     "three",
		Packages: []npm.Package{{Name: "three", Version: "0.180.0", Integrity: "sha512-o+qycAMZrh+TsE01GqWUxUIKR1AL0S8pq7zDkYOQw8GqfX8b8VoCKYUoHbhiX5j+7hr8XsuHDVU6+gkQJQKg9w=="}},
		Also:     []string{"three/build/three.module.min.js", "three/build/three.core.min.js"},
		See:      []Sight{{"#seen", "255,0,0,255"}},
	},
	{
		Name:     "cytoscape",
		Packages: []npm.Package{{Name: "cytoscape", Version: "3.33.1", Integrity: "sha512-iJc4TwyANnOGR1OmWhsS9ayRS3s+XQ185FmuHObThD+5AeJCakAAbWv8KimMTt08xCCLNgneQwFp+JRJOr9qGQ=="}},
		Load:     []string{"cytoscape/dist/cytoscape.min.js"},
		See:      []Sight{{"#seen", "a → b → c, 255,0,0,255"}},
	},
	{
		Name:     "leaflet",
		Packages: []npm.Package{{Name: "leaflet", Version: "1.9.4", Integrity: "sha512-nxS1ynzJOmOlHp+iL3FyWqK89GtNL8U8rvlMOsQdTTssxZwCXh8N2NB3GDQOL+YR3XnWyZAxwQixURb+FA74PA=="}},
		Load:     []string{"leaflet/dist/leaflet.css", "leaflet/dist/leaflet.js"},
		Also:     []string{"leaflet/dist/images"},
		Do:       []Step{{Click: ".leaflet-marker-icon"}},
		See:      []Sight{{".leaflet-popup-content", "Big Ben"}, {"#seen", "marker 25, no tile"}},
		Blocked:  []string{"http://" + Outside + "/leaflet/0/0/0.png"},
	},
}
