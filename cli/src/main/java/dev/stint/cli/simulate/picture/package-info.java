/** The picture of a simulation: histograms of wall times as SVG. */
@NullMarked
package dev.stint.cli.simulate.picture;

import org.jspecify.annotations.NullMarked;
